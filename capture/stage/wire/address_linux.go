package wire

// addressPrefix: a socket without a file needs no directory that can be written to, and is gone with its process.
const addressPrefix = "@"
