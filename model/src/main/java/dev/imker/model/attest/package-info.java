/** What nodes sign about their work, and how it is verified. */
@NullMarked
package dev.imker.model.attest;

import org.jspecify.annotations.NullMarked;
