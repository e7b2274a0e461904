@org.jspecify.annotations.NullMarked
package dev.imker.server.drop.drive;
