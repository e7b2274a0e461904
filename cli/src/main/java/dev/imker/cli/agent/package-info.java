/** Commands that run, install and examine an agent on this machine. */
@NullMarked
package dev.imker.cli.agent;

import org.jspecify.annotations.NullMarked;
