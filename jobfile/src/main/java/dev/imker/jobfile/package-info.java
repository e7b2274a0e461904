/** Reading, writing and explaining job files. */
@NullMarked
package dev.imker.jobfile;

import org.jspecify.annotations.NullMarked;
