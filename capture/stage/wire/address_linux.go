package wire

// addressPrefix makes the socket abstract: it needs no writable directory, and disappears with its process.
const addressPrefix = "@"
