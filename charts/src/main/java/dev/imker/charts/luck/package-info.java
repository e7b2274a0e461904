/** How much of a result may be owed to chance. */
@NullMarked
package dev.imker.charts.luck;

import org.jspecify.annotations.NullMarked;
