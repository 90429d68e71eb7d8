// bench-go: Go's net/http in default use, but for the number of idle connections it keeps: 2 by default, so that it
// would close and open connections all the time. The command line is that of Sources/BenchSupport/Options.swift.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	requests    = flag.Int64("requests", 1, "how many requests are measured")
	concurrency = flag.Int64("concurrency", 1, "how many at once")
	warmup      = flag.Int64("warmup", 0, "how many come first")
	warmURL     = flag.String("warm-url", "", "where those go")
	authorities = flag.String("ca", "", "the PEM file to trust")
	file        = flag.String("file", "", "what is uploaded, or where a download goes")
	protocol    = flag.String("protocol", "", "h1 or h2: an answer in another version is an error")

	client  *http.Client
	errored atomic.Int64
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-go:", err)
		os.Exit(1)
	}
}

func makeClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 2048
	transport.MaxIdleConnsPerHost = 2048
	if *authorities != "" {
		pem, err := os.ReadFile(*authorities)
		check(err)
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return &http.Client{Transport: transport}
}

func checked(response *http.Response) error {
	if response.StatusCode != 200 {
		return errors.New(response.Status)
	}
	if *protocol != "" && response.ProtoMajor != int((*protocol)[1]-'0') {
		return errors.New("the answer is " + response.Proto)
	}
	return nil
}

func get(url string) (int64, error) {
	response, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	return int64(len(body)), checked(response)
}

func download(url string) (int64, error) {
	response, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	target, err := os.Create(*file)
	if err != nil {
		return 0, err
	}
	defer target.Close()
	count, err := io.Copy(target, response.Body)
	if err != nil {
		return count, err
	}
	return count, checked(response)
}

func upload(url string) (int64, error) {
	source, err := os.Open(*file)
	if err != nil {
		return 0, err
	}
	info, err := source.Stat()
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequest("POST", url, source)
	if err != nil {
		return 0, err
	}
	request.ContentLength = info.Size()
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	count, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err == nil && count != info.Size() {
		err = fmt.Errorf("the server got %d of %d bytes", count, info.Size())
	}
	if err != nil {
		return count, err
	}
	return count, checked(response)
}

func repeat(count, workers int64, one func() (int64, error)) int64 {
	var taken, bytes atomic.Int64
	var group sync.WaitGroup
	for i := int64(0); i < workers && i < count; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for taken.Add(1) <= count {
				size, err := one()
				bytes.Add(size)
				if err != nil && errored.Add(1) == 1 {
					fmt.Fprintln(os.Stderr, err)
				}
			}
		}()
	}
	group.Wait()
	return bytes.Load()
}

type usage struct {
	time     time.Time
	cpu      time.Duration
	switches int64
}

func now() usage {
	var spent syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &spent))
	return usage{time.Now(), time.Duration(spent.Utime.Nano() + spent.Stime.Nano()), spent.Nvcsw + spent.Nivcsw}
}

func memory(field string) (kib int64) {
	status, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(status), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == field {
			kib, _ = strconv.ParseInt(words[1], 10, 64)
		}
	}
	return kib
}

func main() {
	before := now()
	if len(os.Args) < 3 {
		check(errors.New("usage: bench-go get|download|upload|inflight|first|wait URL [options]"))
	}
	scenario, url := os.Args[1], os.Args[2]
	check(flag.CommandLine.Parse(os.Args[3:]))
	client = makeClient()
	start := memory("VmRSS:")
	if *warmURL == "" {
		*warmURL = url
	}
	repeat(*warmup, *concurrency, func() (int64, error) { return get(*warmURL) })
	idle := memory("VmRSS:")
	if scenario != "first" {
		before = now()
	}
	one := func() (int64, error) { return get(url) }
	switch scenario {
	case "download":
		one = func() (int64, error) { return download(url) }
	case "upload":
		one = func() (int64, error) { return upload(url) }
	}
	bytes := repeat(*requests, *concurrency, one)
	after := now()
	seconds, count := after.time.Sub(before.time).Seconds(), float64(*requests)
	fmt.Printf(`{"program": "go", "scenario": %q, "requests": %d, "seconds": %.6f, "requests_per_second": %.3f, `+
		`"cpu_us_per_request": %.3f, "switches_per_request": %.4f, "peak_kib": %d, "start_kib": %d, "idle_kib": %d, `+
		`"errors": %d, "bytes": %d}`+"\n",
		scenario, *requests, seconds, count/seconds,
		float64(after.cpu-before.cpu)/1e3/count, float64(after.switches-before.switches)/count,
		memory("VmHWM:"), start, idle, errored.Load(), bytes)
}
