package capture

// noWait: nothing that has a path in a directory makes an opening wait here.
const noWait = 0
