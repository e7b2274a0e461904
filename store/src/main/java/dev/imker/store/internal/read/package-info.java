/** Reading records, table by table. */
@NullMarked
package dev.imker.store.internal.read;

import org.jspecify.annotations.NullMarked;
