export type Scalar = string | number | boolean;

export type Fields = Record<string, Scalar>;
