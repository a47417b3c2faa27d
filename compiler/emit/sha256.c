/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, through Nettle. */
#include <nettle/sha2.h>

#include "emit/output.h"

void plumb_sha256_hex(const void *bytes, size_t len, char out[65])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    if (len > 0)
        sha256_update(&ctx, len, bytes);
    sha256_digest(&ctx, sizeof(digest), digest);
    for (size_t i = 0; i < sizeof(digest); i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[64] = '\0';
}
