/** Code that tests have run on other machines. */
@NullMarked
package dev.imker.samples;

import org.jspecify.annotations.NullMarked;
