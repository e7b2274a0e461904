/** What a planned job wants and how it may fail. */
@NullMarked
package dev.imker.client.plan;

import org.jspecify.annotations.NullMarked;
