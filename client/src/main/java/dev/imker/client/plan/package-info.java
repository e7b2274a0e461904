/** The result and the failure strategy of a planned job. */
@NullMarked
package dev.imker.client.plan;

import org.jspecify.annotations.NullMarked;
