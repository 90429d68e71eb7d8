#!/usr/bin/env bash
# Makes the certificates that the tests use, in .setup/certificates:
#
#   root.pem            the root to trust         intermediate.pem   signed by it
#   server              good for localhost, 127.0.0.1, ::1, convoy.test and *.convoy.test
#   expired             the same names, but its time is over
#   wrong-host          good for other.example only
#   self-signed         the same names as server, signed by itself
#   untrusted           the same names as server, from a root of its own (untrusted-root.pem)
#
# Each of the last five is NAME.pem (the leaf, then the intermediate if it has one) and NAME.key.
# They are made again when one is missing, when a good one ends within a week, and when this script has changed.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"

week=$((7 * 24 * 60 * 60))
names="DNS:localhost,IP:127.0.0.1,IP:::1,DNS:convoy.test,DNS:*.convoy.test"
leaves=(server expired wrong-host self-signed untrusted)

is_fresh() {
    local name
    is_stamped "$certificates" "$wanted" || return 1
    for name in root intermediate untrusted-root "${leaves[@]}"; do
        [ -s "$certificates/$name.pem" ] || return 1
    done
    for name in "${leaves[@]}"; do
        [ -s "$certificates/$name.key" ] || return 1
    done
    for name in server wrong-host self-signed untrusted; do
        openssl x509 -in "$certificates/$name.pem" -noout -checkend "$week" >/dev/null || return 1
    done
}

wanted=$(hash_of "$root/scripts/certificates.sh")
is_fresh && exit

say "making test certificates in .setup/certificates"
# Made beside their place and moved there once they are verified, so that nobody meets half of them.
new=$certificates.new
rm -rf "$new"
mkdir -p "$new"
cd "$new"

# `openssl ca` is the one command of OpenSSL 3.0 that takes both dates, which a certificate of the past needs.
mkdir issued
touch index.txt
cat >ca.cnf <<'END'
[ca]
default_ca = default

[default]
database = index.txt
new_certs_dir = issued
rand_serial = yes
unique_subject = no
default_md = sha256
policy = policy

[policy]
commonName = supplied

[req]
distinguished_name = name

[name]

[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid

[intermediate]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid

[leaf]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = $ENV::SAN
END

quietly() { "$@" >log 2>&1 </dev/null || { quote log 10; fail "cannot make certificates: $*"; }; }

date_after() { date -u -d "$1" +%Y%m%d%H%M%SZ; }
long_ago=20200101000000Z
yesterday=$(date_after '-1 day')
next_year=$(date_after '+396 days')    # 397 days in all, the longest that today's clients accept from a public CA
in_ten_years=$(date_after '+3650 days')

# issue NAME EXTENSIONS ISSUER START END [NAMES]: NAME.key and NAME.pem; an issuer of the same name is a self-signature.
issue() {
    local name=$1 extensions=$2 issuer=$3 start=$4 end=$5
    local signer=(-cert "$issuer.pem" -keyfile "$issuer.key")
    [ "$issuer" != "$name" ] || signer=(-selfsign -keyfile "$name.key")
    export SAN=${6:-DNS:none.invalid}
    quietly openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$name.key"
    quietly openssl req -new -config ca.cnf -key "$name.key" -subj "/CN=Convoy test $name" -out "$name.csr"
    quietly openssl ca -batch -notext -config ca.cnf -extensions "$extensions" "${signer[@]}" \
        -startdate "$start" -enddate "$end" -in "$name.csr" -out "$name.pem"
    chmod 600 "$name.key"
}

issue root root root "$long_ago" "$in_ten_years"
issue intermediate intermediate root "$long_ago" "$in_ten_years"
issue untrusted-root root untrusted-root "$long_ago" "$in_ten_years"
issue server leaf intermediate "$yesterday" "$next_year" "$names"
issue expired leaf intermediate 20220101000000Z 20230101000000Z "$names"
issue wrong-host leaf intermediate "$yesterday" "$next_year" DNS:other.example
issue self-signed leaf self-signed "$yesterday" "$next_year" "$names"
issue untrusted leaf untrusted-root "$yesterday" "$next_year" "$names"

for name in server expired wrong-host; do
    cat intermediate.pem >>"$name.pem"
done

# expect NAME ANSWER: what OpenSSL says when a client that trusts root.pem meets NAME at localhost.
expect() {
    local answer
    answer=$(openssl verify -x509_strict -CAfile root.pem -untrusted "$1.pem" -verify_hostname localhost "$1.pem" 2>&1) ||
        true
    [[ $answer == *"$2"* ]] || fail "the certificate $1 should verify with '$2', but: $answer"
}

expect server 'server.pem: OK'
expect expired 'certificate has expired'
expect wrong-host 'hostname mismatch'
expect self-signed 'self-signed certificate'
expect untrusted 'unable to get local issuer certificate'

# The authorities' keys have done their work; nobody can sign anything else with them.
rm -rf root.key intermediate.key untrusted-root.key ./*.csr ca.cnf index.txt* issued log
stamp . "$wanted"
cd "$root"
rm -rf "$certificates"
mv "$new" "$certificates"
