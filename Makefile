# The one entrance: `make` lists what there is to do. The work is in scripts/.

.DEFAULT_GOAL := help
.PHONY: help demo test setup build lint api docs doctor bench soak sanitize clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

demo: setup ## see requests go over real sockets; sets up and builds all that it needs
	swift build --product convoy
	.build/debug/convoy demo

test: setup ## run every test, with nginx and httpbin at hand; ARGS='--filter Name' goes to swift test
	swift build --build-tests
	scripts/with-servers.sh swift test --skip-build --parallel $(ARGS)
	scripts/examples.sh
	scripts/api.sh --check

setup: ## install and generate what building and testing need (a fresh Debian will do)
	@scripts/setup.sh

build: setup ## build everything, for debugging
	swift build --build-tests

lint: ## check the form of the sources
	@scripts/lint.sh

api: build ## write the public API to Documentation/api
	@scripts/api.sh

docs: build ## build the documentation into .build/docs
	@scripts/docs.sh

bench: setup ## measure speed beside libcurl, URLSession and Go; QUICK=1, ROUNDS=9, ONLY='get-h1-*'
	@scripts/bench.sh

doctor: ## tell what is there and what is missing
	@scripts/doctor.sh

soak: build ## 20,000 requests with random cancels and faults leave nothing behind
	CONVOY_SOAK=$(or $(COUNT),20000) swift test --skip-build --filter SoakTests

sanitize: setup ## run every test under ThreadSanitizer and AddressSanitizer
	@scripts/sanitize.sh

clean: ## remove everything built and generated
	rm -rf .build .setup Benchmarks/.build Examples/.build
