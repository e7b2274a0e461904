/** Task libraries: jars with actions, by name and version. */
@NullMarked
package dev.imker.server.internal.library;

import org.jspecify.annotations.NullMarked;
