/** HTTP on Vert.x: routes, requests and answers in blocking style on virtual threads. */
@NullMarked
package dev.imker.server.http;

import org.jspecify.annotations.NullMarked;
