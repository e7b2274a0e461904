/** What both databases have in common: recovery, the store over JDBC. */
@NullMarked
package dev.imker.store.sql;

import org.jspecify.annotations.NullMarked;
