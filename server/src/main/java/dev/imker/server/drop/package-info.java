/** Drop folders: files in an inbox become jobs, and folders show their outcome. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.drop;
