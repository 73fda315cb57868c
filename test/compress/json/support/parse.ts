/** A small JSON parser for tests that keeps every lexeme, and says nothing of large inputs or bad ones. */

export type Node =
	| { readonly type: 'scalar'; readonly lexeme: string }
	| { readonly type: 'string'; readonly lexeme: string }
	| { readonly type: 'array'; readonly items: Node[] }
	| { readonly type: 'object'; readonly members: (readonly [key: string, value: Node])[] };

/** Parses one document, which must be valid JSON. */
export function parse(text: string): Node {
	// JSON.parse is the judge of validity; what follows only has to find the lexemes.
	JSON.parse(text);
	let index = 0;

	const space = (): void => {
		while (' \t\r\n'.includes(text[index] ?? 'x')) {
			index++;
		}
	};

	const string = (): string => {
		const start = index++;
		while (text[index] !== '"') {
			index += text[index] === '\\' ? 2 : 1;
		}

		return text.slice(start, ++index);
	};

	const list = (close: string, item: () => void): void => {
		index++;
		space();
		while (text[index] !== close) {
			item();
			space();
			if (text[index] === ',') {
				index++;
				space();
			}
		}

		index++;
	};

	const value = (): Node => {
		space();
		if (text[index] === '"') {
			return { type: 'string', lexeme: string() };
		}

		if (text[index] === '[') {
			const items: Node[] = [];
			list(']', () => items.push(value()));
			return { type: 'array', items };
		}

		if (text[index] === '{') {
			const members: (readonly [string, Node])[] = [];
			list('}', () => {
				const key = string();
				space();
				index++;
				members.push([key, value()]);
			});
			return { type: 'object', members };
		}

		const start = index;
		while (index < text.length && !' \t\r\n,]}'.includes(text[index])) {
			index++;
		}

		return { type: 'scalar', lexeme: text.slice(start, index) };
	};

	return value();
}

/** The lexemes with nothing between them. */
export function compact(node: Node): string {
	const parts: string[] = [];
	const write = (part: Node): void => {
		if (part.type === 'array') {
			parts.push('[');
			for (const [index, item] of part.items.entries()) {
				parts.push(index > 0 ? ',' : '');
				write(item);
			}

			parts.push(']');
		} else if (part.type === 'object') {
			parts.push('{');
			for (const [index, [key, member]] of part.members.entries()) {
				parts.push(index > 0 ? ',' : '', key, ':');
				write(member);
			}

			parts.push('}');
		} else {
			parts.push(part.lexeme);
		}
	};
	write(node);
	return parts.join('');
}

/** The text that a string's lexeme stands for. */
export function textOf(lexeme: string): string {
	return JSON.parse(lexeme) as string;
}

/** Whether the text of a string's lexeme holds half a surrogate pair, and so has no UTF-8 form. */
export function hasLoneSurrogate(lexeme: string): boolean {
	return !textOf(lexeme).isWellFormed();
}
