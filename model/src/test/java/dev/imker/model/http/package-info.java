@org.jspecify.annotations.NullMarked
package dev.imker.model.http;
