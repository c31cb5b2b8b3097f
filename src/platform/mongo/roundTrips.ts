/** Counting what goes to MongoDB: one command is one round trip. */
import type { Document, MongoClient } from 'mongodb';
import { getOwn } from '../../lib/getOwn.js';

/** Told of each command as it goes out: its name, and its collection (empty where it has none). */
export type OnCommand = (command: string, collection: string) => void;

/** The client must have been made with `monitorCommands`. */
export function tellCommands(client: MongoClient, onCommand: OnCommand): void {
  client.on('commandStarted', ({ commandName, command }) =>
    onCommand(commandName, collectionOf(commandName, command)),
  );
}

/** A command names its collection under its own name; the next batch of a cursor names it apart. */
function collectionOf(name: string, command: Document): string {
  const target: unknown = name === 'getMore' ? command.collection : getOwn(command, name);
  return typeof target === 'string' ? target : '';
}
