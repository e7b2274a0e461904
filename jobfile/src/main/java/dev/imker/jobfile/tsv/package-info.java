/** Jobs as tables of tab-separated values. */
@NullMarked
package dev.imker.jobfile.tsv;

import org.jspecify.annotations.NullMarked;
