@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.drop.place;
