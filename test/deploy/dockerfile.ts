/** Parses a Dockerfile as far as the checks need it: its stages, and the instructions of each. */

export interface Instruction {
  /** In capitals: `COPY`. */
  keyword: string;
  /** The rest, on one line. */
  text: string;
}

export interface Stage {
  name: string;
  from: string;
  instructions: Instruction[];
}

/** @throws {Error} when an instruction comes before the first FROM */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const { keyword, text: rest } of instructionsOf(text)) {
    if (keyword === 'FROM') {
      const [from = '', , name = String(stages.length)] = rest.split(/\s+/);
      stages.push({ name, from, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`${keyword} comes before the first FROM`);
    stage.instructions.push({ keyword, text: rest });
  }
  return stages;
}

function instructionsOf(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { keyword: keyword.toUpperCase(), text: rest };
    });
}

export interface Copy {
  /** The stage that it copies from; absent for the build context. */
  stage?: string;
  sources: string[];
}

export function copiesOf(stage: Stage): Copy[] {
  return textsOf(stage, 'COPY').map((text) => {
    const words = text.split(/\s+/);
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
    return { ...(from === undefined ? {} : { stage: from }), sources };
  });
}

/** The texts of all instructions with this keyword, in order. */
export const textsOf = (stage: Stage, keyword: string): string[] =>
  stage.instructions.filter((one) => one.keyword === keyword).map(({ text }) => text);

/** The words of an instruction in exec form; null in shell form, which hides signals from the program. */
export function execForm(text: string | undefined): string[] | null {
  const start = text?.indexOf('[') ?? -1;
  if (text === undefined || start < 0) return null;
  return JSON.parse(text.slice(start)) as string[];
}

/** The variables that ENV sets. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(
    textsOf(stage, 'ENV')
      .flatMap((text) => text.split(/\s+/))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}
