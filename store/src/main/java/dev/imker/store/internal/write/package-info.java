/** Writing changes, table by table. */
@NullMarked
package dev.imker.store.internal.write;

import org.jspecify.annotations.NullMarked;
