/** Mailboxes as drop folders: job files arrive as attachments, results are sent back. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.drop.mail;
