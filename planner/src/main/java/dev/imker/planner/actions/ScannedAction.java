package dev.imker.planner.actions;

/**
 * An action found in a class file.
 *
 * @param className as {@code Class.getName()} would give it
 * @param superclassName of the class it directly extends
 */
public record ScannedAction(
    String className, String superclassName, ActionDescription description) {}
