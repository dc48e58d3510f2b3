//! Small symmetric systems, as Newton's method and error bars need them.

/// A dense square matrix.
#[derive(Debug, Clone)]
pub(super) struct Square {
    size: usize,
    cells: Vec<f64>,
}

impl Square {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, amount: f64) {
        self.cells[row * self.size + column] += amount;
    }

    /// Adds `weight · x xᵀ` for a vector x given by its few cells that are not zero.
    pub(super) fn add_outer(&mut self, x: &[(usize, f64)], weight: f64) {
        self.add_product(x, x, weight);
    }

    /// Adds `weight · x yᵀ`.
    pub(super) fn add_product(&mut self, x: &[(usize, f64)], y: &[(usize, f64)], weight: f64) {
        for &(row, left) in x {
            for &(column, right) in y {
                self.add(row, column, weight * left * right);
            }
        }
    }

    pub(super) fn product(&self, other: &Self) -> Self {
        let mut result = Self::zero(self.size);
        for row in 0..self.size {
            for middle in 0..self.size {
                let factor = self.at(row, middle);
                for column in 0..self.size {
                    result.add(row, column, factor * other.at(middle, column));
                }
            }
        }
        result
    }

    /// The inverse of a symmetric positive definite matrix by Cholesky's decomposition, `None` if it is not clearly so.
    pub(super) fn inverse(&self) -> Option<Self> {
        let factor = self.cholesky()?;
        let mut inverse = Self::zero(self.size);
        let mut column_values = vec![0.0; self.size];
        for column in 0..self.size {
            column_values.fill(0.0);
            column_values[column] = 1.0;
            factor.solve_with_factor(&mut column_values);
            for (row, value) in column_values.iter().enumerate() {
                inverse.add(row, column, *value);
            }
        }
        Some(inverse)
    }

    /// Solves for `values` in place; `None` if the matrix is not clearly positive definite.
    pub(super) fn solve(&self, values: &mut [f64]) -> Option<()> {
        self.cholesky()?.solve_with_factor(values);
        Some(())
    }

    fn cholesky(&self) -> Option<Self> {
        // A pivot that lost this much of its cell is rounding noise: the system is singular.
        const SINGULAR: f64 = 1e-11;
        let mut factor = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| factor.at(row, k) * factor.at(column, k)).sum();
                let rest = self.at(row, column) - known;
                if row != column {
                    factor.add(row, column, rest / factor.at(column, column));
                } else if rest > SINGULAR * self.at(row, row).abs() {
                    factor.add(row, row, rest.sqrt());
                } else {
                    return None;
                }
            }
        }
        Some(factor)
    }

    fn solve_with_factor(&self, values: &mut [f64]) {
        for row in 0..self.size {
            let known: f64 = (0..row).map(|k| self.at(row, k) * values[k]).sum();
            values[row] = (values[row] - known) / self.at(row, row);
        }
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size).map(|k| self.at(k, row) * values[k]).sum();
            values[row] = (values[row] - known) / self.at(row, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut matrix = Square::zero(3);
        matrix.add_outer(&[(0, 1.0), (1, 2.0)], 2.0);
        matrix.add_outer(&[(1, 1.0), (2, -1.0)], 3.0);
        matrix.add_outer(&[(0, 1.0), (2, 5.0)], 0.5);
        let identity = matrix.product(&matrix.inverse().unwrap());
        for row in 0..3 {
            for column in 0..3 {
                let expected = if row == column { 1.0 } else { 0.0 };
                assert!((identity.at(row, column) - expected).abs() < 1e-12, "{identity:?}");
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut matrix = Square::zero(2);
        matrix.add_outer(&[(0, 1.0), (1, -1.0)], 7.0);
        assert!(matrix.inverse().is_none());
        assert!(matrix.solve(&mut [1.0, 2.0]).is_none());
    }
}
