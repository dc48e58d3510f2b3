//! Archives of strangers: zip and tar.gz, within bounds, read whole or not at all.

use std::collections::HashSet;
use std::io::{Cursor, Read, Write as _};
use std::path::{Component, Path};

use games::Language;

/// The most files.
const MOST_FILES: usize = 20_000;
/// The largest file.
const LARGEST_FILE: u64 = 2 << 20;
/// The most bytes of all files together.
const MOST_BYTES: u64 = 512 << 20;
/// The longest path.
const LONGEST_PATH: usize = 300;

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveFile {
    /// Its path with `/`, inside the archive.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why an archive is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Neither zip nor tar.gz.
    #[error("this is neither a zip nor a tar.gz archive")]
    Unknown,
    /// It cannot be read.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// A path that leads out of the archive, or none at all.
    #[error("{0:?} is not a path inside the archive")]
    BadPath(String),
    /// A link, a device, or a file with a password.
    #[error("{0:?} is not a plain file; links, devices and encrypted files are not taken")]
    NotAFile(String),
    /// Two files of one path.
    #[error("{0:?} is in the archive twice")]
    Twice(String),
    /// Too many files.
    #[error("the archive has more than {MOST_FILES} files")]
    TooMany,
    /// Too much in it.
    #[error("{0:?} is too large: a file may have {LARGEST_FILE} bytes, all together {MOST_BYTES}")]
    TooLarge(String),
}

impl ArchiveError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::Unknown) => "不是 zip 或 tar.gz 压缩包".to_owned(),
            (Language::Zh, Self::Damaged(said)) => format!("压缩包已损坏：{said}"),
            (Language::Zh, Self::BadPath(path)) => format!("“{path}”不是压缩包内的路径"),
            (Language::Zh, Self::NotAFile(path)) => format!("“{path}”不是普通文件；不接受链接、设备和加密文件"),
            (Language::Zh, Self::Twice(path)) => format!("压缩包中“{path}”重复"),
            (Language::Zh, Self::TooMany) => format!("压缩包中的文件超过 {MOST_FILES} 个"),
            (Language::Zh, Self::TooLarge(path)) => {
                format!("“{path}”太大：单个文件最多 {LARGEST_FILE} 字节，合计最多 {MOST_BYTES} 字节")
            }
        }
    }
}

/// Everything of an archive in memory, within bounds; nothing is written anywhere.
pub fn read_archive(bytes: &[u8]) -> Result<Vec<ArchiveFile>, ArchiveError> {
    match bytes {
        [b'P', b'K', ..] => read_zip(bytes),
        [0x1f, 0x8b, ..] => read_tar(flate2::read::GzDecoder::new(bytes)),
        _ => Err(ArchiveError::Unknown),
    }
}

/// Takes files one by one and keeps the bounds.
#[derive(Default)]
struct Basket {
    files: Vec<ArchiveFile>,
    paths: HashSet<String>,
    bytes: u64,
}

impl Basket {
    fn take(&mut self, path: &str, from: &mut dyn Read) -> Result<(), ArchiveError> {
        let path = safe_path(path)?;
        if self.files.len() >= MOST_FILES {
            return Err(ArchiveError::TooMany);
        }
        if !self.paths.insert(path.to_lowercase()) {
            return Err(ArchiveError::Twice(path));
        }
        let room = LARGEST_FILE.min(MOST_BYTES - self.bytes);
        let mut bytes = Vec::new();
        // What the archive says of its sizes is not believed: a bomb lies.
        from.take(room + 1).read_to_end(&mut bytes).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
        if bytes.len() as u64 > room {
            return Err(ArchiveError::TooLarge(path));
        }
        self.bytes += bytes.len() as u64;
        self.files.push(ArchiveFile { path, bytes });
        Ok(())
    }
}

fn safe_path(path: &str) -> Result<String, ArchiveError> {
    let plain = path.len() <= LONGEST_PATH && !path.contains(['\\', '\0', ':']) && !path.chars().any(char::is_control);
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let path = path.trim_start_matches("./");
    if plain && inside && !path.is_empty() { Ok(path.to_owned()) } else { Err(ArchiveError::BadPath(path.to_owned())) }
}

fn read_zip(bytes: &[u8]) -> Result<Vec<ArchiveFile>, ArchiveError> {
    let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.len() > MOST_FILES {
        return Err(ArchiveError::TooMany);
    }
    let mut basket = Basket::default();
    for index in 0..archive.len() {
        let (name, kind, encrypted) = {
            let entry = archive.by_index_raw(index).map_err(damaged)?;
            let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
            (entry.name().map_err(damaged)?.into_owned(), (entry.is_dir(), kind), entry.encrypted())
        };
        match kind {
            (true, _) => drop(safe_path(&name)?),
            (false, 0 | 0o100_000) if !encrypted => {
                basket.take(&name, &mut archive.by_index(index).map_err(damaged)?)?;
            }
            _ => return Err(ArchiveError::NotAFile(name)),
        }
    }
    Ok(basket.files)
}

fn read_tar(from: impl Read) -> Result<Vec<ArchiveFile>, ArchiveError> {
    let damaged = |error: std::io::Error| ArchiveError::Damaged(error.to_string());
    // Headers and padding count too: an archive of empty files is no way around the bounds.
    let mut archive = tar::Archive::new(from.take(MOST_BYTES + MOST_FILES as u64 * 2048));
    let mut basket = Basket::default();
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            tar::EntryType::Regular => basket.take(&name, &mut entry)?,
            tar::EntryType::Directory => drop(safe_path(&name).or_else(|error| match name.as_str() {
                "./" | "." => Ok(String::new()),
                _ => Err(error),
            })?),
            tar::EntryType::XGlobalHeader => {}
            _ => return Err(ArchiveError::NotAFile(name)),
        }
    }
    Ok(basket.files)
}

/// A zip archive of these files.
pub fn write_zip(files: impl IntoIterator<Item = ArchiveFile>) -> Result<Vec<u8>, ArchiveError> {
    let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for file in files {
        archive.start_file(file.path, options).map_err(damaged)?;
        archive.write_all(&file.bytes).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    }
    Ok(archive.finish().map_err(damaged)?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, bytes: &[u8]) -> ArchiveFile {
        ArchiveFile { path: path.to_owned(), bytes: bytes.to_vec() }
    }

    fn tar_gz(build: impl FnOnce(&mut tar::Builder<flate2::write::GzEncoder<Vec<u8>>>)) -> Vec<u8> {
        let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        build(&mut builder);
        builder.into_inner().unwrap().finish().unwrap()
    }

    fn header(kind: tar::EntryType, size: u64, path: &str) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o644);
        // The crate refuses bad paths itself; a stranger's tar does not.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        header
    }

    #[test]
    fn plain_archives_come_back_whole() {
        let files = vec![file("一班/2351001-张三/v1.c", b"int main;"), file("a/b", &[7; 100_000])];
        assert_eq!(read_archive(&write_zip(files.clone()).unwrap()).unwrap(), files);
        let bytes = tar_gz(|tar| {
            let mut folder = header(tar::EntryType::Directory, 0, "a/");
            tar.append(&folder, &b""[..]).unwrap();
            folder = header(tar::EntryType::Regular, 3, "./a/b");
            tar.append(&folder, &b"xyz"[..]).unwrap();
        });
        assert_eq!(read_archive(&bytes).unwrap(), [file("a/b", b"xyz")]);
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        for path in ["../x", "a/../../x", "/etc/passwd", "a\\..\\x", "C:x", ""] {
            assert!(safe_path(path).is_err(), "{path}");
        }
        for path in ["../x", "/etc/passwd"] {
            let bytes = tar_gz(|tar| tar.append(&header(tar::EntryType::Regular, 1, path), &b"x"[..]).unwrap());
            assert!(matches!(read_archive(&bytes), Err(ArchiveError::BadPath(_))), "{path}");
            let bytes = write_zip([file(path, b"x")]).unwrap();
            assert!(matches!(read_archive(&bytes), Err(ArchiveError::BadPath(_))), "{path}");
        }
    }

    #[test]
    fn links_and_devices_are_refused() {
        for kind in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Char, tar::EntryType::Fifo] {
            let bytes = tar_gz(|tar| tar.append(&header(kind, 0, "x"), &b""[..]).unwrap());
            assert!(matches!(read_archive(&bytes), Err(ArchiveError::NotAFile(_))), "{kind:?}");
        }
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.add_symlink("x", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
        let bytes = archive.finish().unwrap().into_inner();
        assert!(matches!(read_archive(&bytes), Err(ArchiveError::NotAFile(_))));
    }

    #[test]
    fn bombs_are_refused_before_they_are_large() {
        let bytes = write_zip([file("bomb", &vec![0; LARGEST_FILE as usize + 1])]).unwrap();
        assert!(bytes.len() < 10_000, "{}", bytes.len());
        assert!(matches!(read_archive(&bytes), Err(ArchiveError::TooLarge(_))));
        let bytes = tar_gz(|tar| {
            let size = 64 << 20;
            tar.append(&header(tar::EntryType::Regular, size, "bomb"), std::io::repeat(0).take(size)).unwrap();
        });
        assert!(matches!(read_archive(&bytes), Err(ArchiveError::TooLarge(_))));
        let bytes = tar_gz(|tar| {
            for number in 0..=MOST_FILES {
                tar.append(&header(tar::EntryType::Regular, 0, &number.to_string()), &b""[..]).unwrap();
            }
        });
        assert!(matches!(read_archive(&bytes), Err(ArchiveError::TooMany)));
    }

    #[test]
    fn nonsense_and_doubles_are_refused() {
        for bytes in [&b""[..], b"PK", b"PK\x03\x04 nonsense", b"\x1f\x8b nonsense", b"#include"] {
            assert!(read_archive(bytes).is_err(), "{bytes:?}");
        }
        let bytes = tar_gz(|tar| {
            for name in ["a", "A"] {
                tar.append(&header(tar::EntryType::Regular, 0, name), &b""[..]).unwrap();
            }
        });
        assert!(matches!(read_archive(&bytes), Err(ArchiveError::Twice(_))));
    }
}
