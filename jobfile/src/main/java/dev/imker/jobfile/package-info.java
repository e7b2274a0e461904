/** Reading, writing, explaining job files. */
@NullMarked
package dev.imker.jobfile;

import org.jspecify.annotations.NullMarked;
