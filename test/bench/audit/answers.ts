/** What suppliers were told of their leads in a run of the benchmark, to be looked for afterwards. */
import type { Answer, Supplier } from '../../support/supplier.js';

/** What a 2xx said became of the lead. */
export type Told = 'delivered' | 'pending' | 'UNMATCHED' | 'DUPLICATE';

/** By the lead's id: the latest answer. */
export type Answers = Map<string, Told>;

/** No more leads than that may reach a buyer. */
export interface NotedCap {
  buyerId: string;
  leads: number;
}

/** The supplier, each of whose 2xx is noted. A repeat is told what its first request was. */
export function noting(supplier: Supplier, answers: Answers): Supplier {
  const noted = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status, data } = await answer;
    if (status >= 200 && status < 300 && data)
      answers.set(data.id, (data.delivery ?? data.status) as Told);
    return answer;
  };
  return {
    post: (fields, options) => noted(supplier.post(fields, options)),
    postUntilTaken: (fields) => noted(supplier.postUntilTaken(fields)),
    close: () => supplier.close(),
  };
}
