/** The web page in a real browser, against a real pool. */
@NullMarked
package dev.imker.pagetest;

import org.jspecify.annotations.NullMarked;
