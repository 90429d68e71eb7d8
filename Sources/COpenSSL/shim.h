#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/// How names are printed: RFC 2253, UTF-8 as it is. A macro that Swift cannot see.
static inline unsigned long convoy_name_flags(void) { return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB; }
