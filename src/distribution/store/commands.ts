/** Operators' commands: their input, their progress, and their result. */
import type { Collection } from 'mongodb';
import type { QueueAnswer } from '../../../workflows/queueCommands.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';

export interface CommandStore {
  /** Stores a command, and returns the one stored under its id: for a repetition, the first. */
  begin(command: CommandDoc): Promise<CommandDoc>;
  /** Records that `done` rows have ended, and which are next. */
  progress(id: string, done: number, batch: readonly string[]): Promise<void>;
  /** Stores its result, once, and returns the stored one. */
  finish(id: string, answer: QueueAnswer): Promise<QueueAnswer>;
}

export function createCommandStore(commands: Collection<CommandDoc>): CommandStore {
  return {
    async begin(command) {
      const { _id, ...fields } = command;
      const stored = await retryUpsert(() =>
        commands.findOneAndUpdate(
          { _id },
          { $setOnInsert: fields },
          { upsert: true, returnDocument: 'after' },
        ),
      );
      return stored ?? command;
    },
    async progress(id, done, batch) {
      await commands.updateOne({ _id: id }, { $set: { done, batch: [...batch] } });
    },
    async finish(id, answer) {
      await commands.updateOne(
        { _id: id, answer: { $exists: false } },
        { $set: { answer }, $unset: { batch: true } },
      );
      const stored = await commands.findOne({ _id: id }, { projection: { answer: 1 } });
      return stored?.answer ?? answer;
    },
  };
}
