/** What nodes sign of the work that they did, and how it is checked. */
@NullMarked
package dev.imker.model.attest;

import org.jspecify.annotations.NullMarked;
