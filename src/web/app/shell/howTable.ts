import type { Command } from '../../build/commands.js';

/** The build replaces it with the commands of the actions. */
declare const COMMANDS: Readonly<Record<string, Command>>;

/** By the names of the actions; loaded when the menu How is opened. */
export const TABLE: ReadonlyMap<string, Command> = new Map(Object.entries(COMMANDS));
