/** One line joins a machine: the server hands out the script, the program and its Java. */
@NullMarked
package dev.imker.server.join;

import org.jspecify.annotations.NullMarked;
