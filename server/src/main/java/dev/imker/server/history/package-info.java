/** The recorded history of machines and work. */
@NullMarked
package dev.imker.server.history;

import org.jspecify.annotations.NullMarked;
