// Starts a bundled program with the loader of the command, which is next to it.
require('./load-compiled.js')(__dirname)('program.js');
