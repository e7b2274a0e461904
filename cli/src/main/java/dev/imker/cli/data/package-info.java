/** Commands for files stored in the pool: data sets, drop folders, libraries and their keys. */
@NullMarked
package dev.imker.cli.data;

import org.jspecify.annotations.NullMarked;
