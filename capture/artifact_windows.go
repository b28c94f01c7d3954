package capture

// noWait is not needed here: no file in a directory makes opening wait.
const noWait = 0
