/** Imker in Spring Boot applications. */
@NullMarked
package dev.imker.spring;

import org.jspecify.annotations.NullMarked;
