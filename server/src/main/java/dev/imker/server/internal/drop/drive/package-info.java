/** Drop folders on Google Drive: documents in, sheets out. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.drop.drive;
