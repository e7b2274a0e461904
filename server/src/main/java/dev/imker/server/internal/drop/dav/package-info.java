/** Drop folders on servers that speak WebDAV, such as Nextcloud and ownCloud. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.drop.dav;
