/** Values on their way between machines, as CBOR; no Java serialisation. */
@NullMarked
package dev.imker.tasks.values;

import org.jspecify.annotations.NullMarked;
