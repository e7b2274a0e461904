/** Where the code of Imker itself is, and which release it is. */
@NullMarked
package dev.imker.model.code;

import org.jspecify.annotations.NullMarked;
