/** The files of the web page. */
@NullMarked
package dev.imker.server.page;

import org.jspecify.annotations.NullMarked;
