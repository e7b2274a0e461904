/** What tests of all modules share: how long they wait, and how they try random inputs. */
@NullMarked
package dev.imker.testbase;

import org.jspecify.annotations.NullMarked;
