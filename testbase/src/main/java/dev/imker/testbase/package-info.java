/** Shared by the tests of all modules: waiting and random inputs. */
@NullMarked
package dev.imker.testbase;

import org.jspecify.annotations.NullMarked;
