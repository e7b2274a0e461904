/** Drop folders: files put into an inbox become jobs, and folders show what became of them. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.drop;
