/** Joining a machine with one line: the server provides the script, the program and its Java. */
@NullMarked
package dev.imker.server.join;

import org.jspecify.annotations.NullMarked;
