/** Mailboxes as drop folders: job files come attached, results go back. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.drop.mail;
