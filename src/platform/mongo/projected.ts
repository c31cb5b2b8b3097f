/** A document as a projection reads it: its id and the named fields. Parts of a field (`a.b`) are typed where they are read. */
export type Projected<Doc, Projection> = Pick<Doc, Extract<'_id' | keyof Projection, keyof Doc>>;
