/** Code as users have it, in a package that is not the client's own. */
@NullMarked
package dev.imker.shipped;

import org.jspecify.annotations.NullMarked;
