/* What a processor can do and Swift has no word for. */

/* Asks for the line of memory that holds an address; nothing waits for it, and any address will do. */
static inline __attribute__((always_inline)) void prefetch(const void *address) {
    __builtin_prefetch(address, 1, 3);
}
