/** A real PostgreSQL server for tests. */
@NullMarked
package dev.imker.testdb;

import org.jspecify.annotations.NullMarked;
